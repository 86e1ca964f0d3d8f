# docker build -t mwtutor . && docker run --rm -p 127.0.0.1:8888:8888 mwtutor
FROM python:3.12-slim
RUN useradd --create-home learner
USER learner
# Not every builder gives the user a directory that WORKDIR creates.
RUN mkdir /home/learner/mwtutor
WORKDIR /home/learner/mwtutor
ENV PATH=/home/learner/.local/bin:$PATH
COPY --chown=learner . .
RUN binder/postBuild
EXPOSE 8888
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser", "notebooks"]
